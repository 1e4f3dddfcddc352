import {
  ensureNodeImage,
  LABEL,
  makeNodeImage,
  NODE_IMAGE,
  type TestEngine,
  testEngine,
} from '@matchyard/orchestrator/docker/testing'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { expect } from 'vitest'
import { agentIn, JOINED, QUEUE, startForAgents, uploadArena } from '../harness/agents'
import { until } from '../harness/command'
import { temporaryFolder } from '../harness/folder'
import { playDuel, takesConnections } from '../harness/match'

const cases = new EngineCases<TestEngine>()

cases.add('an agent runs a build in a container, which goes on while the agent is restarted', async (engine) => {
  await ensureNodeImage(engine.docker)
  const { call, url, client, server, token } = await startForAgents()
  const [cwd, containers] = [temporaryFolder(), { DOCKER_HOST: engine.host, DOCKER_BASE_IMAGE: NODE_IMAGE }]
  const start = () => agentIn(cwd, url, token, { ORCHESTRATOR: 'docker', ...containers })
  const first = start()
  await first.seen(JOINED)
  await uploadArena(call, server)
  await call('DELETE /v1/queues/demo', { key: server })
  expect((await call('POST /v1/queues', { key: server, body: QUEUE })).status).toBe(201)
  const lobby = await playDuel(call, client)
  const { instance_id: instanceId } = lobby.server
  expect(await takesConnections(lobby)).toBe(true)
  const ofInstance = { all: true, filters: { label: [`${LABEL.instance}=${instanceId}`] } }
  const [container] = await engine.docker.listContainers(ofInstance)
  const { Config } = await engine.docker.getContainer(container?.Id ?? '').inspect()
  expect(JSON.stringify(Config)).not.toContain(token)

  first.signal('SIGTERM')
  expect((await first.exited).code).toBe(0)
  expect(await takesConnections(lobby)).toBe(true)
  await start().seen(JOINED)
  await until('the logs of the server', async () => {
    const { status, body } = await call(`GET /v1/servers/${instanceId}/logs`, { key: server })
    return status === 200 && body.logs.length > 0 ? body.logs : undefined
  })
  const { body } = await call(`GET /v1/servers/${instanceId}`, { key: server })
  expect(body).toMatchObject({ status: 'running', restarts: 0, node_id: 'fra-1' })
  expect((await call(`DELETE /v1/servers/${instanceId}`, { key: server })).status).toBeLessThan(300)
  await until('no container is left', async () =>
    (await engine.docker.listContainers(ofInstance)).length === 0 ? true : undefined,
  )
})

cases.add('the service lets an agent check an image, and tells why one cannot be used', async (engine) => {
  const image = 'local/matchyard-test-agent:1'
  const script = { path: 'server', content: '#!/usr/bin/env node\nsetInterval(() => {}, 1000)\n', executable: true }
  await makeNodeImage(engine.docker, image, { files: [script], changes: ['ENTRYPOINT ["/server"]'] })
  const { call, url, server: key, token } = await startForAgents()
  const register = async (name: string, imageUrl: string) =>
    (await call('POST /v1/builds/docker-image', { key, body: { name, image_url: imageUrl } })).body.build_id
  const processed = (id: string) =>
    until('the image is checked', async () => {
      const { body } = await call(`GET /v1/builds/${id}`, { key })
      return body.status === 'processing' ? undefined : body
    })
  // The image is registered before an agent is there: the check waits.
  const good = await register('good', image)
  const environment = { ORCHESTRATOR: 'docker', DOCKER_HOST: engine.host, DOCKER_LOCAL_IMAGES: 'true' }
  await agentIn(temporaryFolder(), url, token, { ...environment, DOCKER_BASE_IMAGE: NODE_IMAGE }).seen(JOINED)
  expect(await processed(good)).toMatchObject({ status: 'ready', error_message: null })
  expect(await processed(await register('absent', 'local/never-made:1'))).toMatchObject({
    status: 'failed',
    error_message: 'the image local/never-made:1 is not in the container engine',
  })
})

cases.register(await testEngine())
