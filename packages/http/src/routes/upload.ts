import { endpoint } from '../endpoint'
import { optional, queryOf } from '../wire/codec/index'
import { string } from '../wire/shared'
import { NO_CONTENT } from './answers'

/** Route of the signed URL that `POST /v1/builds/upload-url` returns. The signature is the credential. */
export const upload = endpoint({
  operation: 'builds.upload',
  method: 'put',
  path: '/v1/uploads/{build_id}',
  summary: 'Uploads the ZIP of a build; its processing then starts.',
  query: queryOf({
    expires: optional(string, 'Expiry from `upload_url`.'),
    signature: optional(string, 'Signature from `upload_url`.'),
  }),
  rawBody: { mediaType: 'application/zip', description: 'The archive.' },
  success: NO_CONTENT,
  async handle({ matchyard, params, query, exchange }) {
    const { expires = '', signature = '' } = query
    await matchyard.builds.receiveUpload({ buildId: params.build_id, expires, signature, body: exchange.body })
  },
})
