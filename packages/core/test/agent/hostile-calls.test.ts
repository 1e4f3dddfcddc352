import type { WantedCall } from '@matchyard/core'
import { expect, it } from 'vitest'
import { hands, specOf, still } from './linked'

const zip = { type: 'zip', buildId: 'bld_1', executablePath: 'server' } as const
const launch = (spec: unknown) => ({ number: 1, call: 'launch', spec }) as WantedCall

it.each([
  ['a launch without a spec', launch(undefined)],
  ['a build outside the folder of builds', launch(specOf('srv_1', { build: { ...zip, buildId: '../../etc' } }))],
  ['a program outside the build', launch(specOf('srv_1', { build: { ...zip, executablePath: '../../bin/sh' } }))],
  ['an attempt that is a path', launch(specOf('srv_1', { attempt: '../..' as never }))],
  ['a stop of no instance', { number: 1, call: 'stop', graceMs: 1 } as WantedCall],
  ['no pools', { number: 1, call: 'keepWarm', pools: 7 } as unknown as WantedCall],
  ['a pool of a build outside', { number: 1, call: 'keepWarm', pools: [{ build: { ...zip, buildId: '/' } }] } as never],
  ['an observation of a number', { number: 1, call: 'observe', of: 7 } as never],
] as [string, WantedCall][])('%s is refused, and the next call is carried out', async (_, call) => {
  const begun: string[] = []
  const note = (name: string) => async () => void begun.push(name)
  const { agent, answers, logger } = hands({
    launch: (spec) => note(spec?.instanceId)() as never,
    keepWarm: note('keepWarm') as never,
    stop: note('stop'),
    observe: note('observe') as never,
  })
  agent.begin('one')
  agent.hear(call)
  agent.hear({ number: 2, call: 'prune' })
  await still()
  expect(begun).toEqual([])
  expect(answers().sort((a, b) => a.number - b.number)).toEqual([
    { number: 1, error: 'the call does not have the form of such a call' },
    { number: 2, value: null },
  ])
  expect(logger.lines).toHaveLength(1)
})

it('calls past 32 MiB that wait are refused', async () => {
  const { agent, answers } = hands({ prepareImage: () => new Promise(() => {}) })
  agent.begin('one')
  const image = 'x'.repeat(1_024 * 1_024 - 100)
  for (let number = 1; number <= 40; number++) agent.hear({ number, call: 'prepareImage', image })
  await still()
  expect(answers().map(({ number }) => number)).toEqual([33, 34, 35, 36, 37, 38, 39, 40])
})
