// A service process that launches one server and is killed while it does. Run by service-killed.int.test.ts.

import { processOrchestrator } from '../../src/process/index'
import { FixtureStore } from '../../src/testing/index'

const { dataDirectory, installationId, spec } = JSON.parse(process.env.REQUEST ?? '')
const orchestrator = processOrchestrator({
  dataDirectory,
  installationId,
  buildStore: new FixtureStore(),
  clock: { now: () => Date.now() },
})
await orchestrator.open()
process.stdout.write('launching\n')
const result = await orchestrator.launch(spec)
process.stdout.write(result.ok ? 'launched\n' : `${JSON.stringify(result)}\n`)
setInterval(() => {}, 1 << 30)
