export { backupSqlite } from './backup'
export { inspectSqlite, type SqliteInspection } from './inspect'
export { sqliteStorage } from './sqlite-storage'
export type { SqliteStorageOptions } from './store'
