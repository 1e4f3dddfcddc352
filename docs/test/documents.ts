import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Program {
  readonly language: 'ts' | 'js'
  readonly code: string
}

/**
 * Returns the TypeScript blocks of a document, and its JavaScript blocks if they are whole programs. The path is
 * relative to the root.
 */
export function programsOf(file: string): Program[] {
  // In READMEs of packages a JavaScript block is a part of the reader's program, not a program of its own.
  const languages = file.startsWith('docs/') ? 'ts|js' : 'ts'
  const blocks = readFileSync(join(ROOT, file), 'utf8').matchAll(
    new RegExp(`^\`\`\`(${languages})\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
  )
  return [...blocks].map(([, language, code = '']) => ({ language: language as Program['language'], code }))
}

/** Returns the code of these blocks. */
export const blocksOf = (file: string): string[] => programsOf(file).map(({ code }) => code)

/** Returns a pattern for the output that the only `text` block of a page shows. */
function outputOf(file: string): RegExp {
  const [, text = ''] = /^```text\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, file), 'utf8')) ?? []
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
}

/** Documents whose blocks are whole programs, with the expected output of each block. */
export const DOCUMENTS: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"name":"team_1".*"playerId":"ann".*"name":"team_2".*"playerId":"bob"/],
  'docs/cookbook/local-first.md': [outputOf('docs/cookbook/local-first.md')],
  'docs/embedding.md': [
    /^\{ rating: 1658, rated: 1, played: 1, coins: 10 \}\n$/,
    /^\{ rating: 1658, rated: 1, played: 1, coins: 10 \}\n$/,
    /^the match of ann and bob began\n$/,
    /^My game is in the file\n$/,
    /^My game is in the database\n$/,
    /^the tables are in my_game\n$/,
    /^the two are 40 apart\n$/,
    /^nothing is left open\n$/,
    /^the server of ann's lobby: null\n$/,
    /^\{ from: 'hono' \} 201\n$/,
    /^\{ from: 'express' \} 201\n$/,
    /^\{ from: 'fastify' \} 201\n$/,
    /^players connect to eu-3.example.com:7777\n$/,
    /lobby_updated in_queue\n$/,
    /^hello \d\n(?:.*\n)*change 0\n$/,
    /^match.started \d+ running\nmatch.ended \d+ ended\n$/,
    /^PLAN_LIMIT_EXCEEDED queues_enabled\n$/,
    /^one lobby\n$/,
  ],
  'docs/from-open-match.md': [/^3 s: nobody, 4 wait\n15 s: party \+ ann \+ bob, 1 wait\n$/],
  'docs/player-proof.md': [/^PLAYER_TOKEN_REQUIRED\nann has \{"mmr":1500\}\nPLAYER_STATE_FORBIDDEN\n$/],
  'docs/testing.md': [
    /nobody waits in vain/,
    /^2 s, 1 s\n1658\n$/,
    /seed 5 held for \d+ turns/,
    /seed 1 broke countersAreExact: /,
    /in_queue\nNOT_HOST\nINVALID_LOBBY_STATE/,
  ],
  'docs/webhooks.md': [/^match.found 2\n$/],
  'packages/build-store/README.md': [
    /21 bytes, refused: /,
    /^\/my-builds\/uploads\/bld_1\nstart the store/,
    /^info: checking an archive of 21 bytes\n(?:.*\n)*refused/,
  ],
  'packages/client/README.md': [
    /ann plays in team_\d at eu-3.example.com:7777\n\{ reason: 'backend_ended'.*\}\n/,
    /^local_match \[ 'red: 2' \]\n\{ ok: true, playerId: 'ann', team: 'red', role: null \} \{ ok: false, reason: 'forged' \}\n0 came, 1 left\n$/,
  ],
  'packages/console/README.md': [/\[ 'assets', 'docs', 'index.html' \]/],
  'packages/core/README.md': [/a match of 2 teams/],
  'packages/http/README.md': [
    /200 401 application\/problem\+json/,
    /listening on \{ address: .*port: \d+/,
    /listening on http:.*:\d+/,
  ],
  'packages/matchmaking/README.md': [/^\[ 'a', 'b' \]\n1\n2\n/],
  'packages/node/README.md': [/^lob_\w+: the password is right\nat 2.* a die shows [1-6]/],
  'packages/orchestrator/README.md': [
    /a game server would listen on 1 port; 0 run/,
    /^docker runs zip and docker_image builds\n./,
    /^agones runs docker_image builds\nit needs 6 rules in a Role\n./,
    /free: true\nthe interpreter \/usr\/bin\/python3 of server is not there/,
  ],
  'packages/payments/README.md': [/manual_acc_1 pays with visa\nthis installation takes the test card/],
  'packages/server/README.md': [/ready: 200/],
  'packages/storage-memory/README.md': [/1 lobby in memory/],
  'packages/storage-postgres/README.md': [/a lobby of 1 player is in the database/],
  'packages/storage-sqlite/README.md': [/a lobby of 1 player is on the disk/],
  'packages/testkit/README.md': [/\d\d guarantees hold/],
}
