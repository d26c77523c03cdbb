#include "jit/raw_names.h"

#include <gtest/gtest.h>

namespace lanewise::jit {
namespace {

Image image_with(std::vector<std::string> symbols, std::vector<std::pair<std::string, std::string>> names = {}) {
    Image image;
    for (std::string& symbol : symbols) {
        EntryPoint entry;
        entry.name = std::move(symbol);
        image.entries.push_back(std::move(entry));
    }
    image.names = std::move(names);
    return image;
}

std::string text_of_missing(const Image& image, const std::string& name) {
    try {
        fail_missing_kernel(image, name);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        return error.what();
    }
}

TEST(PlainName, IsTheNameWithoutArgumentsAndResult) {
    EXPECT_EQ(plain_name("saxpy"), "saxpy");
    EXPECT_EQ(plain_name("_Z5saxpyfPKfPfi"), "saxpy");
    EXPECT_EQ(plain_name("_ZN2ns3addEPff"), "ns::add");
    EXPECT_EQ(plain_name("_Z5scaleIfLi3EEvPT_"), "scale<float, 3>");
    EXPECT_EQ(plain_name("_ZN12_GLOBAL__N_11fEi"), "(anonymous namespace)::f");
    EXPECT_EQ(plain_name("_Znonsense"), "_Znonsense");
}

TEST(KernelSymbol, TakesSymbolsNamesAndExpressions) {
    Image image = image_with({"_Z5scaleIfLi3EEvPT_", "_ZN2ns3addEPff", "plain"},
                             {{"scale<float, 3>", "_Z5scaleIfLi3EEvPT_"}, {"&table", "table"}});
    EXPECT_EQ(find_kernel_symbol(image, "plain"), "plain");
    EXPECT_EQ(find_kernel_symbol(image, "_ZN2ns3addEPff"), "_ZN2ns3addEPff");
    EXPECT_EQ(find_kernel_symbol(image, "ns::add"), "_ZN2ns3addEPff");
    EXPECT_EQ(find_kernel_symbol(image, "scale<float,3>"), "_Z5scaleIfLi3EEvPT_");
    EXPECT_EQ(find_kernel_symbol(image, "add"), std::nullopt);
}

TEST(KernelSymbol, AsksWhichOfSeveralIsMeant) {
    Image image = image_with({"_Z1fPi", "_Z1fPf"});
    try {
        find_kernel_symbol(image, "f");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        EXPECT_STREQ(error.what(),
                     "'f' is the name of 2 kernels of the module; ask for one by its symbol: _Z1fPi, _Z1fPf");
    }
}

TEST(KernelSymbol, AMissingNameIsAnsweredWithTheNearest) {
    Image image = image_with({"saxpy", "_Z5scaleIfLi3EEvPT_"}, {{"scale<float, 3>", "_Z5scaleIfLi3EEvPT_"}});
    EXPECT_EQ(text_of_missing(image, "sapxy"),
              "there is no kernel 'sapxy' in the module; did you mean 'saxpy'? It has: saxpy, scale<float, 3>");
    EXPECT_EQ(text_of_missing(image, "transform"),
              "there is no kernel 'transform' in the module. It has: saxpy, scale<float, 3>");
    EXPECT_NE(text_of_missing(image, "scale<int, 3>").find("when name_expressions asks for it"), std::string::npos);
    EXPECT_EQ(text_of_missing(Image{}, "f"),
              "there is no kernel 'f' in the module; it has no kernels (__global__ functions)");
}

TEST(VariableSymbol, TakesExpressionsWithAndWithoutTheirAddressOperator) {
    Image image = image_with({}, {{"&ns::table", "_ZN2ns5tableE"}});
    EXPECT_EQ(variable_symbol(image, "&ns::table"), "_ZN2ns5tableE");
    EXPECT_EQ(variable_symbol(image, "ns::table"), "_ZN2ns5tableE");
    EXPECT_EQ(variable_symbol(image, "other"), "other");
}

}  // namespace
}  // namespace lanewise::jit
