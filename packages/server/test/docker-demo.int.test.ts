import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { play } from '@matchyard/example-demo'
import {
  ensureNodeImage,
  type ImageFile,
  LABEL,
  makeNodeImage,
  NODE_IMAGE,
  type TestEngine,
  testEngine,
} from '@matchyard/orchestrator/docker/testing'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { expect } from 'vitest'
import { until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { startDev } from './harness/services'

const GAME_SERVER = fileURLToPath(new URL('../../../examples/game-server/server', import.meta.url))
const GAME_IMAGE = 'local/matchyard-test-demo:1'

const cases = new EngineCases<TestEngine>()

/** Returns the files of the demo's game server in the repository. */
function programOf(folder: string): ImageFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((file) => ({
      path: join('game', file.slice(folder.length)),
      content: readFileSync(file),
      executable: file.endsWith('server.mjs'),
    }))
}

/** Returns the images of the containers that a project has started, from the engine's own events. */
async function imagesOf({ docker }: TestEngine, projectId: string, since: number): Promise<string[]> {
  const label = [`${LABEL.project}=${projectId}`]
  const record = await docker.getEvents({
    since,
    until: Math.ceil(Date.now() / 1_000),
    filters: { type: ['container'], event: ['start'], label },
  })
  let text = ''
  for await (const chunk of record) text += chunk.toString()
  const names = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).Actor.Attributes.image as string)
  return Promise.all(names.map((name) => idOf(docker, name)))
}

/** Plays the whole demo against `dev` with containers. Returns the images of its game servers. */
async function playOn(engine: TestEngine, image?: string): Promise<string[]> {
  await ensureNodeImage(engine.docker)
  const since = Math.floor(Date.now() / 1_000)
  const containers = { ORCHESTRATOR: 'docker', DOCKER_HOST: engine.host, DOCKER_BASE_IMAGE: NODE_IMAGE }
  const { command, files } = await startDev(temporaryFolder(), [], containers)
  const { project_id: projectId } = files.credentials
  const { steps } = await play(files.credentials, () => {}, { image })
  expect(steps.at(-1)?.what).toBe('both lobbies are waiting again')
  command.signal('SIGINT')
  await command.exited
  const label = [`${LABEL.project}=${projectId}`]
  const left = () => engine.docker.listContainers({ all: true, filters: { label } })
  await until('no container is left', async () => ((await left()).length === 0 ? true : undefined))
  return imagesOf(engine, projectId, since)
}

const idOf = async (docker: TestEngine['docker'], name: string) => (await docker.getImage(name).inspect()).Id

cases.add('the demo plays its ZIP build in a container', async (engine) => {
  expect(await playOn(engine)).toEqual([await idOf(engine.docker, NODE_IMAGE)])
})

cases.add('the demo plays an image build of the same game server', async (engine) => {
  const changes = ['ENTRYPOINT ["/game/server.mjs"]']
  await makeNodeImage(engine.docker, GAME_IMAGE, { files: programOf(GAME_SERVER), changes })
  expect(await playOn(engine, GAME_IMAGE)).toEqual([await idOf(engine.docker, GAME_IMAGE)])
})

cases.register(await testEngine())
