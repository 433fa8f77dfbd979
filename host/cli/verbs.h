/* The verbs of the neffsim command, one file each. argv[0] is the verb; the result is the exit code
 * (architecture §6). */
#ifndef NEFFSIM_CLI_VERBS_H
#define NEFFSIM_CLI_VERBS_H

int verb_info(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_unpack(int argc, char **argv);
int verb_pack(int argc, char **argv);
int verb_disasm(int argc, char **argv);
int verb_decode(int argc, char **argv);
int verb_asm(int argc, char **argv);
int verb_prelink(int argc, char **argv);
int verb_run(int argc, char **argv);
int verb_case(int argc, char **argv);
int verb_wave(int argc, char **argv);

#endif
