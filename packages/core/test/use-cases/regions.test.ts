import { createMatchyard, type MachineBeacon, type MatchyardOptions, REGIONS } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type Fleet, fleet } from './fleet'

/** Returns the beacon of a machine. */
const of = (host: string): MachineBeacon => ({ host, udpPort: 7_000 })
/** Options of a node whose machine has a beacon with the name of the node. */
const lit = (nodeId: string): Partial<MatchyardOptions> => ({ machine: { beacons: [of(nodeId)] } })
/** A node without game servers. */
const NO_SERVERS = { orchestrator: undefined } as unknown as Partial<MatchyardOptions>

/** Returns the hosts of the beacons of each region, as a node tells them. */
async function told({ nodes, clock }: Fleet, nodeId: string) {
  clock.advance(1_000)
  const regions = await nodes.get(nodeId)?.matchyard.regions.list()
  return Object.fromEntries(regions?.map(({ region, beacons }) => [region, beacons.map(({ host }) => host)]) ?? [])
}

describe('the served regions', () => {
  it('are told with the beacons of their machines, in the order of the operator, by every node', async () => {
    const given = await fleet({ a: ['iad'], b: ['fra', 'iad'], none: undefined }, {}, (nodeId) =>
      nodeId === 'none' ? NO_SERVERS : lit(nodeId),
    )
    await given.pass(2)
    const all = { iad: ['a', 'b'], fra: ['b'] }
    expect(Object.entries(await told(given, 'a'))).toEqual(Object.entries(all))
    expect([await told(given, 'b'), await told(given, 'none')]).toEqual([all, all])
    expect((await given.first.regions.list())[0]?.beacons[0]).toEqual({ host: 'a', udpPort: 7_000 })
  })

  it('have no beacon of a machine that is cordoned or lost', async () => {
    const given = await fleet({ a: ['fra'], b: ['fra'], c: ['fra'], none: undefined }, {}, (nodeId) =>
      nodeId === 'none' ? NO_SERVERS : lit(nodeId),
    )
    await given.pass(2)
    await given.first.machines.cordon({ machineId: 'b' })
    expect([await told(given, 'a'), await told(given, 'none')]).toEqual([{ fra: ['a', 'c'] }, { fra: ['a', 'c'] }])
    await given.pass(32, ['a', 'b', 'none'])
    expect([await told(given, 'a'), await told(given, 'none')]).toEqual([{ fra: ['a'] }, { fra: ['a'] }])
    await given.first.machines.uncordon({ machineId: 'b' })
    expect(await told(given, 'a')).toEqual({ fra: ['a', 'b'] })
  })

  it('have at most eight beacons each, every address once', async () => {
    const regions = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`m${n}`, ['fra']] as const))
    const given = await fleet(regions, {}, (nodeId) => ({ machine: { beacons: [of('shared'), of(nodeId)] } }))
    await given.pass(2)
    expect(await told(given, 'm0')).toEqual({ fra: ['shared', 'm0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6'] })
  })

  it('are none without a machine, and have no beacons where machines have none', async () => {
    const external = createMatchyard({ ...fakePlatform(), storage: memoryStorage() })
    await external.open()
    expect(await external.regions.list()).toEqual([])
    const given = await fleet({ a: ['fra'] })
    expect(await told(given, 'a')).toEqual({ fra: [] })
  })
})

describe('the beacons of a cluster', () => {
  it('belong to the regions that the operator names', async () => {
    const beacons = [
      { ...of('far'), region: 'iad' as const },
      { ...of('near'), region: 'fra' as const },
      { host: 'both', url: 'https://both.example/ping', udpPort: undefined },
    ]
    const given = await fleet({ a: ['fra', 'iad'] }, { machine: { beacons } })
    await given.pass(2)
    expect(await given.first.regions.list()).toEqual([
      { region: 'fra', beacons: [of('near'), { host: 'both', url: 'https://both.example/ping' }] },
      { region: 'iad', beacons: [of('far'), { host: 'both', url: 'https://both.example/ping' }] },
    ])
  })
})

it('a machine records its beacons once, and without one when it has none any more', async () => {
  const given = await fleet({ a: ['fra'] }, { machine: { beacons: [{ ...of('a'), url: undefined }] } })
  await given.pass(20)
  expect(await told(given, 'a')).toEqual({ fra: ['a'] })
  expect((await given.first.machines.get({ machineId: 'a' })).lastSeenAt).not.toBeNull()
})

it('a machine has at most eight beacons for each region', () => {
  const beacons = Array.from({ length: 8 * REGIONS.length + 1 }, (_, n) => of(`m${n}`))
  const platform = fakePlatform()
  const make = () =>
    createMatchyard({
      ...platform,
      storage: memoryStorage(),
      orchestrator: new FakeOrchestrator(platform.clock),
      machine: { beacons },
    })
  expect(make).toThrow('createMatchyard: machine has 129 beacons; at most 128 are possible')
})
