// PerDevice: one value a device, made when first asked for; found without a lock.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "lanewise/device.h"

namespace lanewise::jit {

/// Values stay where they are until the end of this object. Thread-safe.
template <class T>
class PerDevice {
public:
    PerDevice() = default;
    PerDevice(const PerDevice&) = delete;
    PerDevice& operator=(const PerDevice&) = delete;
    ~PerDevice() {
        for (Node* node = first_.load(std::memory_order_acquire); node;) delete std::exchange(node, node->next);
    }

    /// There are few devices: a list is the quickest table.
    const T* find(const Device& device) const noexcept {
        for (const Node* node = first_.load(std::memory_order_acquire); node; node = node->next)
            if (node->device == &device) return &node->value;
        return nullptr;
    }

    /// `make()` gives the value; it is called by one thread, with no lock held. Threads that ask meanwhile wait, and
    /// get the exception that it throws; the next one to ask tries again. `made`, if given: whether this call made it.
    template <class Make>
    const T& find_or_make(const Device& device, Make make, bool* made = nullptr) {
        if (made) *made = false;
        if (const T* known = find(device)) return *known;
        std::unique_lock lock(mutex_);
        if (const T* known = find(device)) return *known;
        auto same = [&](const std::shared_ptr<Attempt>& a) { return a->device == &device && a->process == ::getpid(); };
        if (auto other = std::find_if(attempts_.begin(), attempts_.end(), same); other != attempts_.end()) {
            std::shared_ptr<Attempt> attempt = *other;
            finished_.wait(lock, [&] { return attempt->value || attempt->failure; });
            if (attempt->failure) std::rethrow_exception(attempt->failure);
            return *attempt->value;
        }
        auto attempt = std::make_shared<Attempt>(Attempt{&device, ::getpid(), nullptr, nullptr});
        attempts_.push_back(attempt);
        lock.unlock();
        std::unique_ptr<Node> node;
        std::exception_ptr failure;
        try {
            node.reset(new Node{&device, make(), nullptr});
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        std::erase_if(attempts_, same);
        finished_.notify_all();
        if (failure) {
            attempt->failure = failure;
            std::rethrow_exception(failure);
        }
        attempt->value = &node->value;
        node->next = first_.load(std::memory_order_relaxed);
        first_.store(node.release(), std::memory_order_release);
        if (made) *made = true;
        return *attempt->value;
    }

private:
    struct Node {
        const Device* device;
        T value;
        Node* next;
    };
    struct Attempt {
        const Device* device;
        int process;  ///< after fork() nobody finishes the parent's attempts
        const T* value;
        std::exception_ptr failure;
    };

    std::atomic<Node*> first_{nullptr};
    std::mutex mutex_;
    std::condition_variable finished_;
    std::vector<std::shared_ptr<Attempt>> attempts_;
};

}  // namespace lanewise::jit
