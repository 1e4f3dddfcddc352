// For authors of storage adapters: the conformance suite, adapters with deliberate faults, and a check of concurrent
// histories.
export * from '../broken-storage/index'
export * from '../conformance/storage/index'
export * from '../linearizability/index'
