export { type HarnessOptions, holdOpen, postgresHarness, SideDoor, waitUntilBlockedBy } from './harness'
export { type Pooler, type PoolerOptions, poolerIsHere, startPooler } from './pooler'
export { type Network, startProxy } from './proxy'
export { startServer, type TestServer } from './server'
