/** The database library, as this Node can load it. */
export { SqliteDatabase } from '../library'
export { sqliteHarness, withFolder } from './harness'
