import pg from 'pg'
import { expect, test } from 'vitest'
import { checkDriver, driverMismatch } from './check-driver.ts'
import { connectionOf, missingParts } from './private-parts.ts'

const versions = { pg: '8.23.1', 'pg-protocol': '1.16.1' }

test('the installed driver has the pinned versions and every member that is used', () => {
  expect(() => checkDriver()).not.toThrow()
})

test('another version is reported in one sentence', () => {
  const installed = { ...versions, 'pg-protocol': '1.17.0' }
  expect(driverMismatch({ pinned: versions, installed, missing: [] })).toBe(
    'pg-protocol 1.17.0 is installed, but Matricula needs exactly 1.16.1: run npm ci.',
  )
})

test('a version range is no pin', () => {
  const pinned = { ...versions, pg: '^8.23.1' }
  expect(driverMismatch({ pinned, installed: versions, missing: [] })).toContain('needs exactly ^8.23.1')
})

test('a missing private member is named', () => {
  const connection = Object.getPrototypeOf(connectionOf(new pg.Client()))
  const { sync } = connection
  delete connection.sync
  const missing = missingParts()
  connection.sync = sync
  expect(missing).toEqual(['connection.sync'])
  expect(driverMismatch({ pinned: versions, installed: versions, missing })).toBe(
    'Private members of pg 8.23.1 and pg-protocol 1.16.1 that Matricula uses are missing: connection.sync.',
  )
})
