/**
 * The second half of `npm run bench -- agones`: measures the processor time that game servers cost the nodes, over real
 * connections to the test kit's cluster. The processor time of the cluster is not measured. `BENCH_LIVES` sets the
 * number of lives, `BENCH_RUNNING` the highest number of running game servers.
 */
import { cpuOfLives, cpuOfRunning } from './cpu-of-launches'

const LIVES = Number(process.env.BENCH_LIVES ?? 300)
const RUNNING = Number(process.env.BENCH_RUNNING ?? 2_000)

console.log(`processor time of all nodes together for a life, ${LIVES} lives, on one memory storage`)
console.log('| nodes | for a life | its calls, bare | ratio |\n|---|---|---|---|')
for (const nodes of [1, 3, 6]) {
  const { msOfCpu, calls, bareMsOfCpu } = await cpuOfLives(nodes, LIVES)
  const bare = `${calls.toFixed(0)}: ${bareMsOfCpu.toFixed(1)} ms`
  console.log(`| ${nodes} | ${msOfCpu.toFixed(1)} ms | ${bare} | ${(msOfCpu / bareMsOfCpu).toFixed(1)} x |`)
}

console.log('\nprocessor time of one node in a second in which so many game servers run and nothing else happens')
console.log('| game servers | for a second |\n|---|---|')
for (const servers of [1, RUNNING / 2, RUNNING])
  console.log(`| ${servers.toLocaleString('en')} | ${(await cpuOfRunning(servers)).toFixed(1)} ms |`)
