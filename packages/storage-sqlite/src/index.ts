export { backupSqlite } from './backup'
export { sqliteStorage } from './sqlite-storage'
export type { SqliteStorageOptions } from './store'
