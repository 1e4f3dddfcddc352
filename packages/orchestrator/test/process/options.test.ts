import { expect, it } from 'vitest'
import { type ProcessOrchestratorOptions, processOrchestrator } from '../../src/process'

const whole = { dataDirectory: 'data', buildStore: {}, installationId: 'here', clock: { now: () => 0 } }
/** Calls the function as JavaScript does, without type checks. */
const make = (more: object) => () => processOrchestrator({ ...whole, ...more } as ProcessOrchestratorOptions)

it.each([
  [{ maxServer: 2 }, 'processOrchestrator: there is no option "maxServer"; did you mean maxServers?'],
  [{ isolaton: 'none' }, 'processOrchestrator: there is no option "isolaton"; did you mean isolation?'],
  [{ maxServers: 0 }, 'processOrchestrator: maxServers must be a whole number above 0, not 0'],
  [{ maxServers: 1.5 }, 'processOrchestrator: maxServers must be a whole number above 0, not 1.5'],
  [{ maxServerCpus: '4' }, 'processOrchestrator: maxServerCpus must be a number above 0, not "4"'],
  [{ maxServerCpus: 0.5 }, 'processOrchestrator: maxServerCpus 0.5 is less than the smallest game server takes: 1'],
  [
    { certificate: { certFile: 'c', keyFile: 'k' }, portRange: { from: 20_000, to: 30_000 } },
    'processOrchestrator: portRange (20000 to 30000) and innerPortRange (30000 to 31999) must have no port in common',
  ],
  [{ maxServerMemoryMb: Number.NaN }, 'processOrchestrator: maxServerMemoryMb must be a whole number above 0'],
])('%j is refused', (more, message) => {
  expect(make(more)).toThrow(message)
})

it('what is left out, or has no value, is not limited', () => {
  expect(make({ maxServers: undefined, maxServerCpus: 1.5, logger: undefined })).not.toThrow()
})
