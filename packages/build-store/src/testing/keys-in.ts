import { AwsClient } from 'aws4fetch'
import type { TestBucket } from './s3-server'

/** The key of every object in a bucket, a page of them at the most: asked for and read apart from the store's own code, which is on trial. */
export async function keysIn({ bucket, endpoint, credentials }: Omit<TestBucket, 'pathStyle'>): Promise<string[]> {
  const client = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1' })
  const answer = await client.fetch(`${endpoint}/${bucket}?list-type=2`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the bucket cannot be listed: ${answer.status} ${text}`)
  return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
}
