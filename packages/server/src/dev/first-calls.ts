/** Id of the queue of the demo, and of the queue of an installation's first project. */
export const DEMO_QUEUE = 'demo'

export interface FirstCalls {
  readonly url: string
  readonly client: string
  readonly server: string
}

/**
 * Returns three shell commands that work without changes. They create a lobby, list the queue's lobbies, and get the
 * queue's statistics.
 */
export const firstCalls = ({ url, client, server }: FirstCalls): readonly string[] => [
  `  curl -s -X POST ${url}/v1/lobbies -H 'api-key: ${client}' -H 'x-player-id: ann' -H 'content-type: application/json' -d '{"queue_id":"${DEMO_QUEUE}","state":{"mmr":1500}}'`,
  `  curl -s '${url}/v1/lobbies?queue_id=${DEMO_QUEUE}' -H 'api-key: ${client}'`,
  `  curl -s ${url}/v1/queues/${DEMO_QUEUE}/stats -H 'api-key: ${server}'`,
]
