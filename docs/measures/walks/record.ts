import { type RanFile, Recorder } from './recorder'

// A program of its own: prints as JSON the lines that each call ran. The sources are loaded after the recorder has
// started.
const recorder = new Recorder()
await recorder.start()
const [{ CALLS }, { openGround }] = await Promise.all([import('./calls'), import('./ground')])
const ground = await openGround()
const recorded: Record<string, RanFile[]> = {}
for (const [name, prepare] of Object.entries(CALLS)) {
  const warmUp = await prepare(ground, 1)
  await warmUp()
  await ground.settle()
  recorded[name] = await recorder.record(await prepare(ground, 2))
  await ground.settle()
}
// Streams are still open.
process.stdout.write(JSON.stringify(recorded), () => process.exit(0))
