export * from './broken-storage/index'
export * from './conformance/storage/index'
export * from './fakes/index'
export * from './matchmaking/index'
