export { backupSqlite } from './backup'
export { inspectSqlite, type SqliteInspection } from './inspect'
export type { SqliteStorageOptions } from './options'
export { sqliteStorage } from './sqlite-storage'
