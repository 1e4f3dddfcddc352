export { correctPostgresClock } from './correct-clock'
export { inspectPostgres, type PostgresInspection } from './inspect'
export type { PostgresStorageOptions } from './options'
export { postgresStorage } from './postgres-storage'
