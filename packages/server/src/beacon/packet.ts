/** Bytes of a request and of its answer: a word of 4 bytes, and 8 bytes of the client's choice. */
export const PACKET_BYTES = 12

const REQUEST = Buffer.from('MYP1').readUInt32BE()
const ANSWER = Buffer.from('MYR1').readUInt32BE()

/** Lowest source port that gets an answer. Below it are the ports of services, which might answer the answer. */
export const MIN_SOURCE_PORT = 1_024

/** Turns a request into its answer, in the same buffer. Returns false for any other packet, which stays unchanged. */
export function turnIntoAnswer(packet: Buffer): boolean {
  if (packet.length !== PACKET_BYTES || packet.readUInt32BE() !== REQUEST) return false
  packet.writeUInt32BE(ANSWER)
  return true
}
