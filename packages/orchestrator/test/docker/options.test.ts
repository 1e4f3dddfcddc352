import { expect, it } from 'vitest'
import { type DockerOrchestratorOptions, dockerOrchestrator } from '../../src/docker'

const whole = { dataDirectory: 'data', buildStore: {}, installationId: 'here', clock: { now: () => 0 } }
/** Calls the function as JavaScript does, without type checks. */
const make = (more: object) => () => dockerOrchestrator({ ...whole, ...more } as DockerOrchestratorOptions)

it.each([
  [{ maxServer: 2 }, 'dockerOrchestrator: there is no option "maxServer"; did you mean maxServers?'],
  [{ engine: 'x' }, 'dockerOrchestrator: there is no option "engine"; did you mean engineHost?'],
  [{ maxServers: 0 }, 'dockerOrchestrator: maxServers must be a whole number above 0, not 0'],
  [{ maxServers: 1.5 }, 'dockerOrchestrator: maxServers must be a whole number above 0, not 1.5'],
  [{ maxServerCpus: '4' }, 'dockerOrchestrator: maxServerCpus must be a number above 0, not "4"'],
  [{ maxServerCpus: 0.5 }, 'dockerOrchestrator: maxServerCpus 0.5 is less than the smallest game server takes: 1'],
  [{ maxServerMemoryMb: Number.NaN }, 'dockerOrchestrator: maxServerMemoryMb must be a whole number above 0'],
])('%j is refused', (more, message) => {
  expect(make(more)).toThrow(message)
})

it('what is left out, or has no value, is not limited', () => {
  expect(make({ maxServers: undefined, maxServerCpus: 1.5, logger: undefined })).not.toThrow()
})
