// Event streams on Node without the service, as the baseline of `npm run bench -- service`. Each posted body is written
// to all readers.
import { createServer } from 'node:http'

const readers = new Set()
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const text = `event: lobby_updated\nid: 1\ndata: ${body}\n\n`
    for (const reader of readers) reader.write(text)
    response.end('{}')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 2000\n\n')
  readers.add(response)
  response.on('close', () => readers.delete(response))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
