export { copyMemoryData, goBackTo } from './go-back'
export { emptyMemoryData, type MemoryData } from './memory-data'
export { type MemoryStorageOptions, memoryStorage } from './memory-storage'
