#!/usr/bin/env node
// Makes what goes along with the packages that are shipped: dist/sbom.cdx.json (CycloneDX), and dist/third-party-notices.txt with their licences.
// `npm sbom --omit dev` leaves out a package that a development package needs as well.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedPackages } from './lib/shipped.mjs';

const packages = shippedPackages();
mkdirSync('dist', { recursive: true });
writeFileSync(join('dist', 'sbom.cdx.json'), `${JSON.stringify(sbom(), null, 2)}\n`);
writeFileSync(join('dist', 'third-party-notices.txt'), notices());

function sbom() {
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version, licenses: [{ license: { id: license } }] } },
    components: packages.map(component),
  };
}

function component({ name, version, license, integrity }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [algorithm, hash] = integrity.split('-');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') }],
  };
}

/** A package of machine code has the licence of the one that it is a part of; the text of Apache's licence is the same for all, ours among them. */
function notices() {
  const apache = readFileSync('LICENSE', 'utf8');
  const texts = packages.map(({ name, version, license, text }) => {
    const whole = packages.find(({ natives }) => natives.includes(name));
    const notice = text || whole?.text || (license === 'Apache-2.0' ? apache : undefined);
    if (!notice) throw new Error(`${name} comes without the text of its licence; it cannot be shipped`);
    return `${name} ${version}\n${license}\n\n${notice}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
