import { afterEach, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { StreamReader } from './harness/stream-reader'
import { makeBuild, openStudio } from './harness/studio'

let listening: Listening | undefined
afterEach(() => listening?.close())

/** Returns a running server of a project, and a function that opens the stream of its log. */
async function running() {
  const service: Service = await startService()
  const studio = await openStudio(service)
  await makeBuild(service, studio)
  const { body } = await service.call('POST /v1/servers', { key: studio.server, body: { version_tag: 'arena' } })
  await service.settle()
  listening = await listen(service.app)
  const { url } = listening
  const instanceId: string = body.instance_id
  const path = `/v1/servers/${instanceId}/logs?follow=true`
  const open = (lastEventId?: string, key = studio.server) =>
    new StreamReader(`${url}${path}`, { key, player: 'ann', ...(lastEventId === undefined ? {} : { lastEventId }) })
  return { service, studio, instanceId, path, open }
}

test('a log is followed as events with the form of the answer, and with 204 after its end', async () => {
  const { service, studio, instanceId, path, open } = await running()
  service.orchestrator.print(instanceId, 'the match begins')
  const reader = open()
  await reader.untilEvents(1)
  expect(reader.headers['content-type']).toBe('text/event-stream')
  const { body: answer } = await service.call(`GET /v1/servers/${instanceId}/logs`, { key: studio.server })
  expect(reader.events).toEqual([{ event: 'lines', id: `${service.clock.now()}-1`, data: answer }])
  reader.cut()
  const { status } = await service.call(`GET ${path}`, { key: studio.server, headers: { 'last-event-id': 'end' } })
  expect(status).toBe(204)
})

test('a log is followed by server keys of its project alone', async () => {
  const { service, studio, path } = await running()
  const client = await service.call(`GET ${path}`, { key: studio.client })
  expect(client.body.code).toBe('CREDENTIAL_NOT_ALLOWED')
  const stranger = await openStudio(service)
  const other = await service.call(`GET ${path}`, { key: stranger.server })
  expect(other.body.code).toBe('SERVER_NOT_FOUND')
})
