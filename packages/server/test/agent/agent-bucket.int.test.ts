import { startTestStore, type TestBucket } from '@matchyard/build-store/testing'
import { expect, onTestFinished, test } from 'vitest'
import { agentIn, JOINED, QUEUE, startForAgents, uploadArena } from '../harness/agents'
import { until } from '../harness/command'
import { temporaryFolder } from '../harness/folder'
import { playDuel, takesConnections } from '../harness/match'

const environmentOf = ({ bucket, endpoint, credentials }: TestBucket): Record<string, string> => ({
  BUILD_STORE: 's3',
  S3_BUCKET: bucket,
  S3_ENDPOINT: endpoint,
  S3_ACCESS_KEY_ID: credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  S3_SESSION_TOKEN: credentials.sessionToken ?? '',
})

test('an agent fetches builds from the bucket itself, and a launch waits while the bucket is down', async () => {
  const store = await startTestStore()
  onTestFinished(() => store.close())
  const { call, url, client, server, token, command } = await startForAgents(environmentOf(store))
  const agent = agentIn(temporaryFolder(), url, token)
  await agent.seen(JOINED)
  await uploadArena(call, server)
  await call('DELETE /v1/queues/demo', { key: server })
  expect((await call('POST /v1/queues', { key: server, body: QUEUE })).status).toBe(201)
  const lobby = await playDuel(call, client)
  expect(await takesConnections(lobby)).toBe(true)
  const ended = await call(`POST /v1/lobbies/${lobby.lobby_id}/end`, { key: server })
  expect(ended.status, ended.text).toBe(200)

  // The agent has the first version. The second one is not on the machine, and the bucket is down when it is needed.
  await uploadArena(call, server)
  await store.stop()
  const second = playDuel(call, client)
  await command.seen(/the archive of build \w+ was not fetched: .*"msg":"a launch waits"/)
  await store.start()
  const again = await second
  expect(await takesConnections(again)).toBe(true)
  const { body: list } = await call('GET /v1/servers', { key: server })
  expect(
    list.data.map(({ status, build_version, node_id }: Record<string, unknown>) => [status, build_version, node_id]),
  ).toEqual([
    ['running', 2, 'fra-1'],
    ['stopped', 1, 'fra-1'],
  ])
  await call(`DELETE /v1/servers/${list.data[0].instance_id}`, { key: server })
  await until('the end of the server', async () => ((await takesConnections(again)) ? undefined : true))
  expect(command.output).not.toMatch(/builds\/bld_\w+\/archive/)
  for (const { output } of [command, agent]) expect(output).not.toMatch(/X-Amz-Signature/i)
})
