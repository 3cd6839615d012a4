import { expect, test } from 'vitest';
import { checkTeamSettings, type ProviderSettings } from './team-settings.ts';
import { type Claims, holderOfClaims, usedClaims } from './who-sees.ts';

const { provider } = checkTeamSettings(
  {
    address: 'https://pinhole.example.com',
    provider: {
      issuer: 'https://login.example.com',
      client_id: 'pinhole',
      people: [
        { email: 'Mark@example.com', projects: ['api'] },
        { claim: { groups: 'admins', tenant: 'acme' }, scopes: ['read', 'admin'], projects: 'all' },
        { email: '*@partner.example', projects: ['web'] },
      ],
    },
  },
  'team.json',
);
const settings = provider as ProviderSettings; // given above
const seen = (claims: Claims) => holderOfClaims({ sub: 's1', ...claims }, settings);
const mail = (email: string) => ({ email, email_verified: true });

test('the first rule that fits says what somebody sees', () => {
  expect(seen(mail('mark@EXAMPLE.com'))).toEqual({
    name: 'mark@example.com',
    scopes: ['read'],
    projects: ['api'],
  });
  expect(seen({ groups: ['staff', 'admins'], tenant: 'acme' })).toEqual({
    name: 's1',
    scopes: ['read', 'admin'],
    projects: undefined,
  });
  expect(seen(mail('bob@partner.example'))?.projects).toEqual(['web']);
});

test.each<readonly [string, Claims]>([
  ['an address that was not checked', { email: 'mark@example.com' }],
  ['one that was checked in words', { email: 'mark@example.com', email_verified: 'true' }],
  ['letters that look the same', mail('mar\u212a@example.com')],
  ['a longer domain', mail('bob@partner.example.evil.com')],
  ['a domain that ends the same', mail('bob@notpartner.example')],
  ['an address around an address', mail('bob@partner.example@evil.com')],
  ['one claim of two', { groups: ['admins'] }],
  ['a group that contains the name', { groups: ['not-admins'], tenant: 'acme' }],
  ['a group in a text', { groups: 'admins, staff', tenant: 'acme' }],
  ['what every object has', { groups: { admins: true }, tenant: 'acme' }],
  ['nothing', {}],
])('nobody is let in by %s', (_what, claims) => {
  expect(seen(claims)).toBeUndefined();
});

test('a name has no markup, and of the claims only those that rules look at are kept', () => {
  const claims = { sub: '<img src=x onerror=alert(1)>\n', groups: 'admins', tenant: 'acme', phone: '1' };
  expect(holderOfClaims(claims, settings)?.name).toBe('_img_src_x_onerror_alert_1___');
  expect(usedClaims(claims, settings)).toEqual({ sub: claims.sub, groups: 'admins', tenant: 'acme' });
});
