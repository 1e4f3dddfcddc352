import { connect } from 'node:net'

/**
 * Sends one line to the control port of the example game server and returns the answer; undefined when no answer
 * arrives.
 */
export function control(
  port: { readonly host: string; readonly external_port: number },
  line: string,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port.external_port, port.host)
    let answer = ''
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('connect', () => socket.write(`${line}\n`))
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString()
      if (answer.includes('\n')) socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer === '' ? undefined : answer.trim()))
  })
}
