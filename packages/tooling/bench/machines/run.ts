import { setTimeout as wait } from 'node:timers/promises'
import { audit } from './audit'
import { Crowd } from './crowd'
import { AWAY_SECONDS, DISTANCE_MS, Ground, MACHINE_AWAY_SECONDS } from './ground'
import { STORY } from './story'

/**
 * `npm run prove -- machines-real [matches] [words]`: three machines in two regions, each with a network, processes and
 * game servers of its own, on one PostgreSQL. Players play 1,000 short matches while machines join, drain, fail and come
 * back. Words select the events that have one of the words in their name. Needs root on Linux.
 */
const MATCHES = Number(process.argv[2] ?? 1_000)
const WORDS = process.argv.slice(3)
const AT_ONCE = Number(process.env.MATCHYARD_AT_ONCE ?? 6)
if (!(MATCHES >= 10)) throw new Error('how many matches? npm run prove -- machines-real <matches>')
if (process.getuid?.() !== 0) throw new Error('networks for machines need root on Linux')

const ground = new Ground()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void ground.stop().finally(() => process.exit(1)))
try {
  await ground.start()
  console.log(
    `${MATCHES} matches; from machines to the database, one way, by a delaying relay: ` +
      `fra ${DISTANCE_MS.fra} ms, iad ${DISTANCE_MS.iad} ms; a machine may be away for ${MACHINE_AWAY_SECONDS} s`,
  )
  const crowd = new Crowd(ground)
  const began = performance.now()
  const playing = crowd.playShort(MATCHES, AT_ONCE)
  const killed: string[] = []
  const failed: string[] = []
  for (const [name, { after, act }] of Object.entries(STORY)) {
    if (WORDS.length > 0 && !WORDS.some((word) => name.includes(word))) continue
    while (crowd.matches < after * MATCHES) await wait(250)
    try {
      const told = await act({ ground, crowd })
      killed.push(...(/\bsrv_\w+/.exec(told) ?? []))
      console.log(`${((performance.now() - began) / 1_000).toFixed(0)} s, ${crowd.matches} matches: ${name}: ${told}`)
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      console.log(`FAILED: ${failed.at(-1)}`)
    }
  }
  crowd.isOver = true
  await playing
  await crowd.end()
  const { broken, figures } = await audit(ground, crowd, killed)
  console.log(`${((performance.now() - began) / 1_000).toFixed(0)} s, away for ${AWAY_SECONDS} s`)
  for (const line of figures) console.log(line)
  for (const line of [...failed, ...broken]) console.log(`BROKEN: ${line}`)
  process.exitCode = failed.length + broken.length === 0 ? 0 : 1
} finally {
  await ground.stop()
}
