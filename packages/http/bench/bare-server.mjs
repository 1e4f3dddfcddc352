// Hono on Node without the service, as the baseline of `npm run bench -- service`. POST parses and echoes a JSON body;
// GET answers a fixed JSON.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const json = JSON.parse(process.env.JSON_TO_ANSWER ?? '{}')
const bare = new Hono()
bare.post('/*', async (c) => c.json(await c.req.json(), 201))
bare.get('/*', (c) => c.json(json))
serve({ fetch: bare.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.send?.({ port }))
