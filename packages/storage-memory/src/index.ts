export { emptyMemoryData, type MemoryData } from './memory-data'
export { type MemoryStorageOptions, memoryStorage } from './memory-storage'
