export { type TestCertificate, writeCertificate } from './certificate'
export { type ProcessHarness, type ProcessUnderTest, processHarness } from './harness'
