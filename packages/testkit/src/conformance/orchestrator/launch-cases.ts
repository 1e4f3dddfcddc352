import assert from 'node:assert/strict'
import { NOTE } from './fixtures'
import { area } from './harness'
import { BOTH, CONTROL, GAME, port, running, seen, seenStates, specFor } from './launches'
import { echoes, eventually, reportOf, tell } from './probe-client'

const it = area('launch')

export const launchCases = [
  it('runs the build, and players reach it on the ports of both protocols', async (subject) => {
    const { spec, report } = await running(subject)
    assert.equal(report.files.beside, NOTE)
    assert.equal(await echoes(port(spec, 'game')), true)
    const { instanceId, attempt } = spec
    assert.deepEqual(await seenStates(subject.orchestrator, instanceId), [
      { instanceId, attempt, state: 'ready', exit: null },
    ])
  }),

  it('gives one number for both protocols, by which players reach it', async (subject) => {
    const { spec, report } = await running(subject, { requests: [CONTROL, BOTH, GAME] })
    const both = port(spec, 'both')
    assert.equal((await reportOf(both)).startId, report.startId)
    assert.equal(await echoes(both), true)
    assert.notEqual(both.externalPort, port(spec).externalPort)
    assert.notEqual(both.externalPort, port(spec, 'game').externalPort)
  }),

  it('runs several servers of one build at once, each on its own', async (subject) => {
    const all = await Promise.all([running(subject), running(subject), running(subject)])
    assert.equal(new Set(all.map(({ report }) => report.startId)).size, 3)
    for (const { spec, report } of all) assert.equal(JSON.parse(report.config).instance_id, spec.instanceId)
    assert.equal(new Set(all.map(({ report }) => report.environment.HOME)).size >= 1, true)
  }),

  it('gives the server its configuration, to read and not to write (or says that it cannot see to that)', async (subject) => {
    const { spec, report } = await running(subject)
    assert.deepEqual(JSON.parse(report.config), spec.config)
    const said = subject.orchestrator.capabilities.limitations.some((sentence) => /configuration file/.test(sentence))
    assert.ok(!report.configWritable || said)
  }),

  it('gives the server a plain environment and nothing of the service’s own', async (subject) => {
    process.env.MATCHYARD_SUITE_SECRET = 'of the service'
    try {
      const { spec, report } = await running(subject)
      const { environment } = report
      assert.equal(environment.MATCHYARD_SUITE_SECRET, undefined)
      assert.doesNotMatch(JSON.stringify(environment), /of the service/)
      assert.match(environment.PATH ?? '', /\/usr\/bin/)
      assert.ok(environment.LANG)
      assert.equal(report.homeWritable, true)
      assert.ok(environment.SVC_CONFIG_FILE?.endsWith('/its_svc.json'))
      for (const { name, internalPort, externalPort } of spec.networkPorts) {
        const given = Number(environment[`PORT_${name.toUpperCase()}`])
        assert.ok([internalPort, externalPort].includes(given), `PORT_${name.toUpperCase()} is ${given}`)
      }
    } finally {
      delete process.env.MATCHYARD_SUITE_SECRET
    }
  }),

  it('names a port with unusual characters by a variable that can be set', async (subject) => {
    const requests = [CONTROL, { ...GAME, name: 'game-2 é' }]
    const { report } = await running(subject, { requests })
    assert.ok(Number(report.environment.PORT_GAME_2__) > 0, JSON.stringify(Object.keys(report.environment)))
  }),

  it('splits the arguments as a shell would quote, and passes them through none', async (subject) => {
    const startupArgs = `--say "two words" 'a;b|c' $HOME * --x="y z" \`id\``
    const { report } = await running(subject, { startupArgs })
    assert.deepEqual(report.args, ['--say', 'two words', 'a;b|c', '$HOME', '*', '--x=y z', '`id`'])
  }),

  it('replaces what the arguments name, each within its argument', async (subject) => {
    const startupArgs =
      '--at ${PORT_CONTROL} "${INSTANCE_ID} in ${REGION}" ${MATCH_ID} ${SVC_CONFIG_FILE} $${REGION} ${ELSE}'
    const { spec, report } = await running(subject, { startupArgs, matchId: 'mat_suite' })
    const { PORT_CONTROL, SVC_CONFIG_FILE } = report.environment
    const { instanceId } = spec
    const told = ['--at', PORT_CONTROL, `${instanceId} in iad`, 'mat_suite', SVC_CONFIG_FILE, '${REGION}', '${ELSE}']
    assert.deepEqual(report.args, told)
  }),

  it('sets the variables of the queue, each with its exact value', async (subject) => {
    const environment = {
      PLAIN: 'x',
      EMPTY: '',
      ODD: ` a "b" 'c' \\ $HOME \`id\` $(PLAIN) $$ \n\n größe\n`,
      s: 'one',
      l: 'two',
    }
    const secretVariables = ['ODD', 's']
    const { report } = await running(subject, { environment, secretVariables, environmentKey: 'key' })
    const told = Object.keys(environment).map((name) => [name, report.environment[name]])
    assert.deepEqual(Object.fromEntries(told), environment)
  }),

  it('tells why a build cannot run, once and for all, and leaves nothing', async (subject) => {
    for (const [name, words] of [
      ['missing', /./],
      ['not-executable', /execut|format/i],
      ['no-interpreter', /interpreter|no such file/i],
    ] as const) {
      const spec = await specFor(subject, { build: await subject.build(name) })
      const result = await subject.orchestrator.launch(spec)
      assert.ok(!result.ok, `${name} must not launch`)
      assert.equal(result.reason, 'final', name)
      assert.match(result.message, words)
      assert.deepEqual(await seen(subject.orchestrator, spec.instanceId), [])
    }
  }),

  it('keeps the memory of a server within its tier (or says that it cannot)', async (subject) => {
    const { spec, control } = await running(subject, { tierSize: { cpus: 1, memoryGib: 0.125 } })
    const unlimited = subject.orchestrator.capabilities.limitations.some((sentence) => /memory/i.test(sentence))
    if (unlimited) return
    await tell(control, { do: 'eat' })
    const exit = await eventually('it runs out of memory', async () => {
      return (await seen(subject.orchestrator, spec.instanceId))[0]?.exit ?? undefined
    })
    assert.equal(exit.reason, 'out_of_memory')
  }),
]
