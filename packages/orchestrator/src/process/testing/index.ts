export { type ProcessHarness, type ProcessUnderTest, processHarness } from './harness'
