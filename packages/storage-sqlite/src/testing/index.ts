export { sqliteHarness, withFolder } from './harness'
