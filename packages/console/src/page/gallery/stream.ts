/** Returns an event stream that sends the events and then stays open. */
export function streamOf(events: readonly (readonly [name: string, data: unknown])[]): Response {
  const text = events
    .map(([name, data], index) => `id: ${index + 1}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    .join('')
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
