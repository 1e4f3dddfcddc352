export type { PostgresStorageOptions } from './options'
export { postgresStorage } from './postgres-storage'
