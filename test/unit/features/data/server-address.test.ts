import { describe, expect, it } from 'vitest';
import { localServer, parseServerAddress } from '#features/data/server-address.ts';

describe('the address of a Cube Core server', () => {
  it.each([
    ['localhost:4000', localServer],
    ['http://localhost:4000/', localServer],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000/cubejs-api/v1'],
    ['cube.example.com', 'https://cube.example.com/cubejs-api/v1'],
    [' https://cube.example.com/api/v1/ ', 'https://cube.example.com/api/v1'],
    ['https://cube.example.com:8443?x=1#y', 'https://cube.example.com:8443/cubejs-api/v1'],
  ])('reads %s', (typed, restUrl) => {
    expect(parseServerAddress(typed)).toEqual({ ok: true, value: restUrl });
  });

  it.each([
    ['', /Enter an address/],
    ['two words', /Enter an address/],
    ['ftp://cube.example.com', /Enter an address/],
    ['http://cube.example.com', /Use https/],
    ['http://localhost.example.com:4000', /Use https/],
    ['https://ada:secret@cube.example.com', /Remove the user name/],
  ])('refuses %s', (typed, says) => {
    const read = parseServerAddress(typed);
    expect(read.ok ? '' : read.error).toMatch(says);
  });
});
