// atomic and atomic_ref with scopes: operations of a stated order. All scopes are ordered as the device's is, but for
// the system's fences.
#pragma once

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

enum class memory_order : int {
    relaxed = __ATOMIC_RELAXED,
    consume = __ATOMIC_CONSUME,
    acquire = __ATOMIC_ACQUIRE,
    release = __ATOMIC_RELEASE,
    acq_rel = __ATOMIC_ACQ_REL,
    seq_cst = __ATOMIC_SEQ_CST
};
constexpr memory_order memory_order_relaxed = memory_order::relaxed;
constexpr memory_order memory_order_consume = memory_order::consume;
constexpr memory_order memory_order_acquire = memory_order::acquire;
constexpr memory_order memory_order_release = memory_order::release;
constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

/// Orders what the thread does before with what it does after, as others of the scope see it.
template <thread_scope Scope>
__LANEWISE_DEVICE void __fence() {
    if (Scope == thread_scope_system)
        __threadfence_system();
    else if (Scope == thread_scope_device)
        __threadfence();
    else if (Scope == thread_scope_block)
        __threadfence_block();
}
__LANEWISE_DEVICE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order == memory_order_relaxed) return;
    if (scope == thread_scope_system)
        __threadfence_system();
    else if (scope == thread_scope_device)
        __threadfence();
    else if (scope == thread_scope_block)
        __threadfence_block();
}

/// The operations on an object at an address: relaxed ones between the fences that the order asks for.
template <class T, thread_scope Scope>
struct __atomic_operations {
    typedef T value_type;

    __LANEWISE_DEVICE static void before(memory_order order) {
        if (order == memory_order_release || order == memory_order_acq_rel || order == memory_order_seq_cst)
            __fence<Scope>();
    }
    __LANEWISE_DEVICE static void after(memory_order order) {
        if (order != memory_order_relaxed && order != memory_order_release) __fence<Scope>();
    }
    __LANEWISE_DEVICE static T load(const T* address, memory_order order) {
        if (order == memory_order_seq_cst) __fence<Scope>();
        T value;
        __atomic_load(const_cast<T*>(address), &value, __ATOMIC_RELAXED);
        after(order);
        return value;
    }
    __LANEWISE_DEVICE static void store(T* address, T value, memory_order order) {
        before(order);
        __atomic_store(address, &value, __ATOMIC_RELAXED);
        if (order == memory_order_seq_cst) __fence<Scope>();
    }
    __LANEWISE_DEVICE static T exchange(T* address, T value, memory_order order) {
        before(order);
        T old;
        __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
        after(order);
        return old;
    }
    __LANEWISE_DEVICE static bool compare_exchange(T* address, T& expected, T value, memory_order order) {
        before(order);
        const bool exchanged =
            __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        after(order);
        return exchanged;
    }
    /// Replaces the value by what `next` makes of it until nothing came between.
    template <class F>
    __LANEWISE_DEVICE static T update(T* address, memory_order order, F next) {
        T old = load(address, memory_order_relaxed);
        while (!compare_exchange(address, old, next(old), order)) {
        }
        return old;
    }
#define __LANEWISE_FETCH(NAME)                                                 \
    template <class U>                                                         \
    __LANEWISE_DEVICE static T NAME(T* address, U value, memory_order order) { \
        before(order);                                                         \
        const T old = __atomic_##NAME(address, value, __ATOMIC_RELAXED);       \
        after(order);                                                          \
        return old;                                                            \
    }
    __LANEWISE_FETCH(fetch_add)
    __LANEWISE_FETCH(fetch_sub)
    __LANEWISE_FETCH(fetch_and)
    __LANEWISE_FETCH(fetch_or)
    __LANEWISE_FETCH(fetch_xor)
#undef __LANEWISE_FETCH
    __LANEWISE_DEVICE static T fetch_min(T* address, T value, memory_order order) {
        return update(address, order, [value](T old) { return value < old ? value : old; });
    }
    __LANEWISE_DEVICE static T fetch_max(T* address, T value, memory_order order) {
        return update(address, order, [value](T old) { return old < value ? value : old; });
    }
};

/// The functions of atomic and of atomic_ref, by the address that Derived gives.
template <class Derived, class T, thread_scope Scope>
struct __atomic_functions {
    typedef T value_type;
    typedef __atomic_operations<T, Scope> operations;
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;

    __LANEWISE_DEVICE bool is_lock_free() const { return is_always_lock_free; }
    __LANEWISE_DEVICE T load(memory_order order = memory_order_seq_cst) const {
        return operations::load(address(), order);
    }
    __LANEWISE_DEVICE operator T() const { return load(); }
    __LANEWISE_DEVICE void store(T value, memory_order order = memory_order_seq_cst) const {
        operations::store(address(), value, order);
    }
    __LANEWISE_DEVICE T exchange(T value, memory_order order = memory_order_seq_cst) const {
        return operations::exchange(address(), value, order);
    }
    __LANEWISE_DEVICE bool compare_exchange_strong(T& expected, T value,
                                                   memory_order order = memory_order_seq_cst) const {
        return operations::compare_exchange(address(), expected, value, order);
    }
    __LANEWISE_DEVICE bool compare_exchange_weak(T& expected, T value,
                                                 memory_order order = memory_order_seq_cst) const {
        return operations::compare_exchange(address(), expected, value, order);
    }
    __LANEWISE_DEVICE bool compare_exchange_strong(T& expected, T value, memory_order success, memory_order) const {
        return operations::compare_exchange(address(), expected, value, success);
    }
    __LANEWISE_DEVICE bool compare_exchange_weak(T& expected, T value, memory_order success, memory_order) const {
        return operations::compare_exchange(address(), expected, value, success);
    }
#define __LANEWISE_FETCH(NAME)                                                           \
    template <class U>                                                                   \
    __LANEWISE_DEVICE T NAME(U value, memory_order order = memory_order_seq_cst) const { \
        return operations::NAME(address(), value, order);                                \
    }
    __LANEWISE_FETCH(fetch_add)
    __LANEWISE_FETCH(fetch_sub)
    __LANEWISE_FETCH(fetch_and)
    __LANEWISE_FETCH(fetch_or)
    __LANEWISE_FETCH(fetch_xor)
    __LANEWISE_FETCH(fetch_min)
    __LANEWISE_FETCH(fetch_max)
#undef __LANEWISE_FETCH
    __LANEWISE_DEVICE T operator++() const { return fetch_add(1) + 1; }
    __LANEWISE_DEVICE T operator--() const { return fetch_sub(1) - 1; }
    __LANEWISE_DEVICE T operator++(int) const { return fetch_add(1); }
    __LANEWISE_DEVICE T operator--(int) const { return fetch_sub(1); }
    template <class U>
    __LANEWISE_DEVICE T operator+=(U value) const {
        return fetch_add(value) + value;
    }
    template <class U>
    __LANEWISE_DEVICE T operator-=(U value) const {
        return fetch_sub(value) - value;
    }
    template <class U>
    __LANEWISE_DEVICE T operator&=(U value) const {
        return fetch_and(value) & value;
    }
    template <class U>
    __LANEWISE_DEVICE T operator|=(U value) const {
        return fetch_or(value) | value;
    }
    template <class U>
    __LANEWISE_DEVICE T operator^=(U value) const {
        return fetch_xor(value) ^ value;
    }

    /// Until the value is another one.
    __LANEWISE_DEVICE void wait(T value, memory_order order = memory_order_seq_cst) const {
        while (load(order) == value) __nanosleep(20);
    }
    __LANEWISE_DEVICE void notify_one() const {}
    __LANEWISE_DEVICE void notify_all() const {}

private:
    __LANEWISE_DEVICE T* address() const { return static_cast<const Derived*>(this)->__address(); }
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic : __atomic_functions<atomic<T, Scope>, T, Scope> {
    atomic() = default;
    __LANEWISE_BOTH constexpr atomic(T value) : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    __LANEWISE_DEVICE T operator=(T value) {
        this->store(value);
        return value;
    }
    __LANEWISE_DEVICE T* __address() const { return const_cast<T*>(&value_); }

private:
    alignas(sizeof(T)) T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : __atomic_functions<atomic_ref<T, Scope>, T, Scope> {
    static constexpr size_t required_alignment = sizeof(T);

    __LANEWISE_DEVICE explicit atomic_ref(T& object) : object_(&object) {}
    __LANEWISE_DEVICE T operator=(T value) const {
        this->store(value);
        return value;
    }
    __LANEWISE_DEVICE T* __address() const { return object_; }

private:
    T* object_;
};

template <thread_scope Scope = thread_scope_system>
struct atomic_flag {
    __LANEWISE_DEVICE bool test_and_set(memory_order order = memory_order_seq_cst) {
        return __atomic_operations<int, Scope>::exchange(&set_, 1, order) != 0;
    }
    __LANEWISE_DEVICE bool test(memory_order order = memory_order_seq_cst) const {
        return __atomic_operations<int, Scope>::load(&set_, order) != 0;
    }
    __LANEWISE_DEVICE void clear(memory_order order = memory_order_seq_cst) {
        __atomic_operations<int, Scope>::store(&set_, 0, order);
    }

private:
    int set_ = 0;
};

}  // namespace cuda
