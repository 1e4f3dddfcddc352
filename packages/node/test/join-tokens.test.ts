import { spawnSync } from 'node:child_process'
import { skipWithout } from '@matchyard/tooling/needs'
import { type JWTPayload, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { tokens } from '../src/index'

const AT = 1_800_000_000_000
const grant = {
  matchId: 'mat_1',
  playerId: 'é, 😀',
  instanceId: 'srv_1',
  team: 'team_1',
  role: 'tank',
  issuedAt: AT,
  expiresAt: AT + 300_000,
}
const ours = tokens('a secret of thirty-two bytes or more')
const keyOf = (matchId: string, of = ours) => of.derive('join-token', matchId)
const textOf = (key: Uint8Array) => Buffer.from(key).toString('base64url')
const CLAIMS = { aud: 'mat_1', sub: 'é, 😀', instance_id: 'srv_1', team: 'team_1', role: 'tank' }

/** As a game server does that has read `join_token_key` in its file. */
async function inJavaScript(token: string, joinTokenKey: string, matchId: string, at = AT): Promise<JWTPayload> {
  const options = { algorithms: ['HS256'], audience: matchId, currentDate: new Date(at) }
  return (await jwtVerify(token, Buffer.from(joinTokenKey, 'base64url'), options)).payload
}

const PYTHON = `
import base64, json, sys, jwt
asked = json.load(sys.stdin)
text = asked["join_token_key"]
key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
try:
    # The test's tokens are of another year.
    claims = jwt.decode(asked["token"], key, algorithms=["HS256"], audience=asked["match_id"], options={"verify_exp": False, "verify_iat": False})
    print(json.dumps(claims))
except jwt.InvalidTokenError as error:
    print(json.dumps({"refused": type(error).__name__}))
`
const pythons = ['python3', '/usr/bin/python3']
const python = pythons.find((one) => spawnSync(one, ['-c', 'import jwt; jwt.decode']).status === 0)

function inPython(token: string, joinTokenKey: string, matchId: string): Record<string, unknown> {
  const input = JSON.stringify({ token, join_token_key: joinTokenKey, match_id: matchId })
  const { stdout, stderr } = spawnSync(python ?? '', ['-c', PYTHON], { input, encoding: 'utf8' })
  return stdout === '' ? { failed: stderr } : JSON.parse(stdout)
}

describe('a join token', () => {
  it('lets its player in, by the key of its match', async () => {
    const token = await ours.issueJoinToken(keyOf('mat_1'), grant)
    const claims = await inJavaScript(token, textOf(keyOf('mat_1')), 'mat_1')
    expect(claims).toEqual({ ...CLAIMS, iat: AT / 1_000, exp: AT / 1_000 + 300 })
  })

  it('is the same again', async () => {
    const [one, again] = await Promise.all([0, 1].map(() => ours.issueJoinToken(keyOf('mat_1'), grant)))
    expect(again).toBe(one)
  })

  it('lets nobody into another match, after its time, or by the key of another installation', async () => {
    const token = await ours.issueJoinToken(keyOf('mat_1'), grant)
    const key = textOf(keyOf('mat_1'))
    await expect(inJavaScript(token, textOf(keyOf('mat_2')), 'mat_2')).rejects.toThrow('signature')
    await expect(inJavaScript(token, key, 'mat_2')).rejects.toThrow('aud')
    await expect(inJavaScript(token, key, 'mat_1', AT + 300_000)).rejects.toThrow('exp')
    const theirs = tokens('another secret of thirty-two bytes or more')
    await expect(inJavaScript(token, textOf(keyOf('mat_1', theirs)), 'mat_1')).rejects.toThrow('signature')
  })

  it('lets its player in where the game server is written in Python', async (context) => {
    if (python === undefined) skipWithout(context, 'Python', 'no python3 with PyJWT')
    const token = await ours.issueJoinToken(keyOf('mat_1'), grant)
    expect(inPython(token, textOf(keyOf('mat_1')), 'mat_1')).toMatchObject(CLAIMS)
    expect(inPython(token, textOf(keyOf('mat_2')), 'mat_1')).toEqual({ refused: 'InvalidSignatureError' })
    expect(inPython(token, textOf(keyOf('mat_1')), 'mat_2')).toEqual({ refused: 'InvalidAudienceError' })
  })
})

describe('a derived key', () => {
  it('is of 32 bytes, of its purpose and its text, and of no signature', () => {
    const key = textOf(ours.derive('a', 'b'))
    expect(ours.derive('a', 'b')).toHaveLength(32)
    expect(textOf(ours.derive('a', 'b'))).toBe(key)
    for (const other of [ours.derive('a', 'c'), ours.derive('b', 'b'), ours.derive('ab', '')]) {
      expect(textOf(other)).not.toBe(key)
    }
    expect(ours.sign('a', 'b')).not.toBe(key)
    expect(() => ours.derive('a\nb', 'c')).toThrow(TypeError)
  })
})
