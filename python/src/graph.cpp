// Bindings of graphs, and of the capture of streams.
#include "lanewise/graph.h"

#include <fmt/format.h>

#include "bindings.h"
#include "device_object.h"
#include "lanewise/ops.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

/// What the class Graph holds: nothing until a capture has ended.
struct GraphObject {
    std::shared_ptr<Graph> graph;

    GraphObject() = default;
    GraphObject(GraphObject&&) = default;
    GraphObject& operator=(GraphObject&&) = default;
    ~GraphObject() {
        if (!graph) return;
        // What it keeps may wait for its streams.
        nb::gil_scoped_release release;
        graph.reset();
    }
    Graph& required() const {
        if (graph) return *graph;
        throw Error(ErrorKind::Value, "the graph is empty: its capture has not ended, or failed");
    }
};

CaptureMode to_mode(nb::handle mode) {
    constexpr const char* names[] = {"global", "thread_local", "relaxed"};
    for (int i = 0; i < 3; ++i) {
        const bool named = PyUnicode_Check(mode.ptr()) && PyUnicode_CompareWithASCIIString(mode.ptr(), names[i]) == 0;
        if (named || (PyLong_Check(mode.ptr()) && PyLong_AsLong(mode.ptr()) == i)) return static_cast<CaptureMode>(i);
    }
    throw Error(ErrorKind::Value,
                fmt::format("begin_capture: mode {}; expected \"relaxed\", \"thread_local\" or \"global\"",
                            nb::cast<std::string>(nb::repr(mode))));
}

}  // namespace

void bind_graphs(nb::module_& m) {
    nb::class_<GraphObject>(m, "Graph", nb::is_weak_referenceable())
        .def(nb::init<>())
        .def(
            "launch",
            [](GraphObject& g, nb::handle stream_object) {
                Graph& graph = g.required();
                const std::shared_ptr<Stream> stream = to_stream(stream_object, graph.device());
                nb::gil_scoped_release release;
                launch(graph, stream);
            },
            "stream"_a.none() = nb::none())
        .def(
            "upload",
            [](GraphObject& g, nb::handle stream_object) {
                Graph& graph = g.required();
                const std::shared_ptr<Stream> stream = to_stream(stream_object, graph.device());
                nb::gil_scoped_release release;
                graph.upload(stream);
            },
            "stream"_a.none() = nb::none())
        .def_prop_ro("device", [](GraphObject& g) { return wrap_device(g.required().device()); })
        .def("__len__", [](GraphObject& g) { return g.required().size(); })
        .def("__repr__", [](GraphObject& g) {
            if (!g.graph) return std::string("<lanewise graph, empty>");
            return fmt::format("<lanewise graph of {} operations on {}>", g.graph->size(), g.graph->device().name());
        });

    nb::handle stream = nb::type<Stream>();
    auto method = [&](const char* name, auto function, auto... extra) {
        stream.attr(name) = nb::cpp_function(function, nb::name(name), nb::scope(stream), nb::is_method(), extra...);
    };
    method(
        "begin_capture",
        [](Stream& s, nb::handle mode) {
            const CaptureMode wanted = to_mode(mode);
            nb::gil_scoped_release release;
            begin_capture(s, wanted);
        },
        "mode"_a = "relaxed");
    method(
        "end_capture",
        [](Stream& s, nb::handle given) {
            nb::object object = given.is_none() ? nb::cast(GraphObject()) : nb::borrow(given);
            GraphObject& result = nb::cast<GraphObject&>(object);
            std::shared_ptr<Graph> graph;
            {
                nb::gil_scoped_release release;
                graph = end_capture(s);
            }
            result.graph.swap(graph);
            return object;
        },
        "graph"_a.none() = nb::none());
    method("is_capturing", [](Stream& s) { return s.is_capturing(); });
}

}  // namespace lanewise::bindings
