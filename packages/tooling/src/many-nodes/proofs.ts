import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mintPlayerToken } from '@matchyard/testkit'
import type { Cluster } from './cluster'

/** One way to prove a player's identity. The service accepts it as long as the project's settings allow it. */
export interface Proof {
  readonly name: string
  /** Returns the headers that prove the identity of the player in a call. */
  headers(player: string): Readonly<Record<string, string>>
}

/** No real proof: the call contains only the player id as a header, and the service trusts the client. */
export const BY_HEADER: Proof = { name: 'x-player-id', headers: (player) => ({ 'x-player-id': player }) }

/** Returns a proof with tokens of an issuer that has a generated secret. */
export const bySecret = (name: string, issuer: string, secret: string): Proof => ({
  name,
  headers: (playerId) => ({ authorization: `Bearer ${mintPlayerToken({ secret, issuer, playerId })}` }),
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a proof with tokens of an issuer that signs with a private key. */
export const byKey = (name: string, iss: string, key: KeyObject): Proof => ({
  name,
  headers: (sub) => {
    const signed = `${part({ alg: 'EdDSA' })}.${part({ iss, sub, exp: Math.floor(Date.now() / 1_000) + 300 })}`
    const signature = sign(null, Buffer.from(signed), key).toString('base64url')
    return { authorization: `Bearer ${signed}.${signature}` }
  },
})

/**
 * Ids of the test's issuers. The generated secret of the first issuer is replaced from time to time; the second issuer
 * is added and removed; the third issuer has a key pair.
 */
const STAYS = 'https://backend.example'
const COMES_AND_GOES = 'https://login.example'
const SIGNS = 'https://identity.example'

export const CHANGES = ['mode', 'secret', 'issuer', 'key'] as const
type Change = (typeof CHANGES)[number]

type Wishes = readonly Readonly<Record<string, unknown>>[]

/** The project's settings for proofs of a player's identity, and functions that change them. */
export class ProofSettings {
  private mode: 'trusted' | 'signed' = 'trusted'
  private stays: Proof | undefined
  private guest: Proof | undefined
  private signer = this.newSigner()
  private drawn = 0

  constructor(
    private readonly cluster: Cluster,
    private readonly session: string,
  ) {}

  /** The proofs of a player's identity that the service accepts now. */
  get valid(): readonly Proof[] {
    const issued = [this.stays, this.guest, this.signer.proof].filter((proof) => proof !== undefined)
    return this.mode === 'trusted' ? [BY_HEADER, ...issued] : issued
  }

  /** Makes one kind of change to the settings through a node. Resolves when the service has acknowledged the change. */
  async change(what: Change): Promise<void> {
    const mode = what === 'mode' ? (this.mode === 'trusted' ? 'signed' : 'trusted') : this.mode
    const draws = what === 'secret' || this.stays === undefined
    const comes = what === 'issuer' && this.guest === undefined
    const isThere = what === 'issuer' ? comes : this.guest !== undefined
    const signer = what === 'key' ? this.newSigner() : this.signer
    const [stays, guest] = await this.put(mode, [
      { issuer: STAYS, ...(draws ? { generate_secret: true } : {}) },
      { issuer: SIGNS, jwks: { keys: [signer.jwk] } },
      ...(isThere ? [{ issuer: COMES_AND_GOES, ...(comes ? { generate_secret: true } : {}) }] : []),
    ])
    this.mode = mode
    this.signer = signer
    if (stays !== undefined) this.stays = bySecret(`secret ${++this.drawn}`, STAYS, stays)
    if (guest !== undefined) this.guest = bySecret(`guest ${++this.drawn}`, COMES_AND_GOES, guest)
    else if (!isThere) this.guest = undefined
  }

  /** Sets the mode and the issuers, and returns the secrets that the service generated for the issuers. */
  private async put(mode: string, issuers: Wishes): Promise<readonly (string | undefined)[]> {
    const path = `/v1/projects/${this.cluster.projectId}/player-auth`
    const { status, body } = await this.cluster
      .next()
      .control<{ issuers: { issuer: string; secret?: string }[] }>(
        { method: 'PUT', path, body: { mode, issuers } },
        this.session,
      )
    if (status !== 200) throw new Error(`player-auth: ${JSON.stringify(body)}`)
    return [STAYS, COMES_AND_GOES].map((name) => body.issuers.find(({ issuer }) => issuer === name)?.secret)
  }

  private newSigner() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    return { jwk: publicKey.export({ format: 'jwk' }), proof: byKey(`key ${++keys}`, SIGNS, privateKey) }
  }
}

let keys = 0
