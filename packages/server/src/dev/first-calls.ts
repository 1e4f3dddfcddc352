/** The queue that a demo, and an installation's first project, begin with. */
export const DEMO_QUEUE = 'demo'

export interface FirstCalls {
  readonly url: string
  readonly client: string
  readonly server: string
}

/** Three lines that work as pasted: a lobby is made, the queue's lobbies are listed, the queue is asked how it does. */
export const firstCalls = ({ url, client, server }: FirstCalls): readonly string[] => [
  `  curl -s -X POST ${url}/v1/lobbies -H 'api-key: ${client}' -H 'x-player-id: ann' -H 'content-type: application/json' -d '{"queue_id":"${DEMO_QUEUE}","state":{"mmr":1500}}'`,
  `  curl -s '${url}/v1/lobbies?queue_id=${DEMO_QUEUE}' -H 'api-key: ${client}'`,
  `  curl -s ${url}/v1/queues/${DEMO_QUEUE}/stats -H 'api-key: ${server}'`,
]
