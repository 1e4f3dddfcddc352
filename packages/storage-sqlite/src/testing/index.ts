/** The database library, in the version that this Node can load. */
export { SqliteDatabase } from '../library'
export { sqliteHarness, withFolder } from './harness'
