// SPDX-License-Identifier: Apache-2.0
// A program that does nothing: precompiled headers have to belong to one.
int main() { return 0; }
