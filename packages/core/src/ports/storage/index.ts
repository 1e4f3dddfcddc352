export * from './commit'
export * from './entities'
export * from './signals'
export * from './storage'
