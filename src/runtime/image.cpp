// Byte form of an Image: magic, version, then every field in order. Numbers are little endian; strings and lists carry
// their length in front. A change of layout is a change of `image_version`.
#include "lanewise/image.h"

#include <fmt/format.h>

#include <cstring>
#include <type_traits>

namespace lanewise {

namespace {

constexpr std::uint32_t image_magic = 0x4d49574c;  // "LWIM"
constexpr std::uint32_t image_version = 3;

[[noreturn]] void malformed(const std::string& why) {
    throw Error(ErrorKind::Value, fmt::format("deserialize_image: malformed image: {}", why));
}

class Writer {
public:
    template <class T>
        requires(std::is_integral_v<T> || std::is_enum_v<T>)
    void operator()(const T& value) {
        for (std::size_t i = 0; i < sizeof(T); ++i)
            bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
    void operator()(const std::string& text) {
        (*this)(std::uint64_t{text.size()});
        bytes.insert(bytes.end(), text.begin(), text.end());
    }
    void operator()(const std::vector<std::uint8_t>& data) {
        (*this)(std::uint64_t{data.size()});
        bytes.insert(bytes.end(), data.begin(), data.end());
    }
    template <class T>
    void operator()(const std::vector<T>& list) {
        (*this)(std::uint64_t{list.size()});
        for (const T& item : list) fields(*this, item);
    }
    std::vector<std::uint8_t> bytes;
};

class Reader {
public:
    Reader(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}

    template <class T>
        requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
    void operator()(T& value) {
        const std::uint8_t* from = take(sizeof(T));
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) bits |= std::uint64_t{from[i]} << (8 * i);
        value = static_cast<T>(bits);
    }
    void operator()(bool& value) {
        std::uint8_t byte = *take(1);
        if (byte > 1) malformed(fmt::format("{} where a flag was expected", byte));
        value = byte;
    }
    void operator()(ImageFormat& value) { enumerator(value, ImageFormat::HostObject, "format"); }
    void operator()(ParameterKind& value) { enumerator(value, ParameterKind::Struct, "parameter kind"); }
    void operator()(DType& value) { enumerator(value, static_cast<DType>(dtype_count - 1), "dtype"); }
    void operator()(std::string& text) {
        std::size_t size = length();
        const std::uint8_t* from = take(size);
        text.assign(reinterpret_cast<const char*>(from), size);
    }
    void operator()(std::vector<std::uint8_t>& data) {
        std::size_t size = length();
        const std::uint8_t* from = take(size);
        data.assign(from, from + size);
    }
    template <class T>
    void operator()(std::vector<T>& list) {
        // Every item takes at least one byte, so length() bounds what a damaged count can make us allocate.
        std::size_t size = length();
        list.clear();
        for (std::size_t i = 0; i < size; ++i) fields(*this, list.emplace_back());
    }
    std::size_t left() const { return left_; }

private:
    template <class T>
    void enumerator(T& value, T last, const char* what) {
        std::uint8_t byte = *take(1);
        if (byte > static_cast<std::uint8_t>(last)) malformed(fmt::format("{} {}", what, byte));
        value = static_cast<T>(byte);
    }
    const std::uint8_t* take(std::size_t size) {
        if (size > left_) malformed(fmt::format("it ends {} bytes early", size - left_));
        const std::uint8_t* from = at_;
        at_ += size;
        left_ -= size;
        return from;
    }
    std::size_t length() {
        std::uint64_t size = 0;
        (*this)(size);
        if (size > left_) malformed(fmt::format("a length of {} with {} bytes left", size, left_));
        return static_cast<std::size_t>(size);
    }
    const std::uint8_t* at_;
    std::size_t left_;
};

void fields(auto& io, auto& number)
    requires std::is_integral_v<std::remove_cvref_t<decltype(number)>>
{
    io(number);
}

template <class Text>
    requires std::is_same_v<std::remove_const_t<Text>, std::string>
void fields(auto& io, Text& text) {
    io(text);
}

template <class T, class Struct>
concept MaybeConst = std::is_same_v<std::remove_const_t<T>, Struct>;

void fields(auto& io, MaybeConst<Location> auto& at) {
    io(at.line);
    io(at.column);
    io(at.end_line);
    io(at.end_column);
}

void fields(auto& io, MaybeConst<RaiseSite> auto& site) {
    io(site.python_class);
    io(site.message);
    fields(io, site.at);
    io(site.file);
}

void fields(auto& io, MaybeConst<SourceFile> auto& file) {
    io(file.path);
    io(file.lines);
    io(file.first_line);
}

void fields(auto& io, MaybeConst<Parameter> auto& parameter) {
    io(parameter.name);
    io(parameter.type);
    io(parameter.kind);
    io(parameter.dtype);
    io(parameter.pointee_known);
    io(parameter.read_only);
}

void fields(auto& io, MaybeConst<std::pair<std::string, std::string>> auto& name) {
    io(name.first);
    io(name.second);
}

void fields(auto& io, MaybeConst<EntryPoint> auto& entry) {
    io(entry.name);
    io(entry.display_name);
    io(entry.parameter_bytes);
    io(entry.parameter_offsets);
    io(entry.parameter_sizes);
    io(entry.parameters);
    io(entry.static_shared_bytes);
    io(entry.max_threads);
    io(entry.uses_dynamic_shared);
    io(entry.can_raise);
    io(entry.cooperative);
    io(entry.context_bytes_per_thread);
}

void fields(auto& io, MaybeConst<Image> auto& image) {
    io(image.format);
    io(image.target);
    io(image.bytes);
    io(image.entries);
    io(image.names);
    io(image.raise_sites);
    io(image.files);
    io(image.llvm_ir);
    io(image.assembly);
    io(image.warnings);
}

/// What users of an image rely on without looking.
void check(const Image& image) {
    for (const EntryPoint& entry : image.entries) {
        if (entry.parameter_offsets.size() != entry.parameter_sizes.size())
            malformed(fmt::format("entry '{}' has {} parameter offsets and {} sizes", entry.name,
                                  entry.parameter_offsets.size(), entry.parameter_sizes.size()));
        for (std::size_t i = 0; i < entry.parameter_sizes.size(); ++i)
            if (std::uint64_t{entry.parameter_offsets[i]} + entry.parameter_sizes[i] > entry.parameter_bytes)
                malformed(fmt::format("parameter {} of entry '{}' lies outside its buffer", i, entry.name));
        if (!entry.parameters.empty() && entry.parameters.size() != entry.parameter_sizes.size())
            malformed(fmt::format("entry '{}' describes {} parameters of {}", entry.name, entry.parameters.size(),
                                  entry.parameter_sizes.size()));
    }
    for (const RaiseSite& site : image.raise_sites)
        if (site.file >= image.files.size() && site.at)
            malformed(fmt::format("a raise site names file {} of {}", site.file, image.files.size()));
}

}  // namespace

std::vector<std::uint8_t> serialize(const Image& image) {
    Writer writer;
    writer(image_magic);
    writer(image_version);
    fields(writer, image);
    return std::move(writer.bytes);
}

Image deserialize_image(const std::uint8_t* data, std::size_t size) {
    Reader reader(data, size);
    std::uint32_t magic = 0, version = 0;
    reader(magic);
    if (magic != image_magic) malformed("it does not start with an image's mark");
    reader(version);
    if (version != image_version)
        malformed(fmt::format("version {}; this build reads version {}", version, image_version));
    Image image;
    fields(reader, image);
    if (reader.left()) malformed(fmt::format("{} bytes follow its end", reader.left()));
    check(image);
    return image;
}

}  // namespace lanewise
