// Makes HTTP calls from the machine on which it runs: reads a list of calls from standard input, and prints the answers.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface OneCall {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface OneAnswer {
  readonly status: number
  readonly text: string
}

const MAX_TEXT = 500_000

const answerOf = ({ url, method = 'GET', headers = {}, body }: OneCall): Promise<OneAnswer> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request(url, { method, headers: { ...headers, ...length } }, async (response) => {
      const { statusCode: status = 0 } = response
      if (response.headers['content-type']?.startsWith('text/event-stream') !== true) {
        return resolve({ status, text: (await text(response)).slice(0, MAX_TEXT) })
      }
      // A stream has no end.
      sent.destroy()
      resolve({ status, text: '' })
    })
    sent.once('error', reject)
    sent.end(body)
  })

const answers: OneAnswer[] = []
for (const call of JSON.parse(await text(process.stdin)) as OneCall[]) answers.push(await answerOf(call))
console.log(JSON.stringify(answers))
