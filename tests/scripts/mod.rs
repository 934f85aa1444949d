//! Script tests: operations in, the state of the array out, compared with a golden file beside the script.
//!
//! A script is a YAML file: what the array is (`model` or `scenario`, `seed`, `drives`) and `steps`. A step is an operation that must
//! be done, `refused: OPERATION` for one that must not, or `show: [SECTION, ..]` to print a part of the state on the way.

mod render;
mod script;

use script::Script;

macro_rules! scripts {
    ($($name:ident: $file:literal;)+) => {
        $( #[test]
        fn $name() {
            Script::check($file);
        } )+

        #[test]
        fn every_script_is_tested() {
            assert_eq!(Script::files(), { let mut known = vec![$($file.to_owned()),+]; known.sort(); known });
        }
    };
}

scripts! {
    a_new_af250_is_what_its_model_says: "new-af250";
    a_new_aff_is_what_its_model_says: "new-aff-a250";
    an_af250_is_set_up_on_day_one: "af250-day-one";
    a_thin_pool_tells_its_thresholds_and_refuses_when_full: "thin-pool-thresholds";
    data_reduction_follows_its_rules_and_ratios: "data-reduction";
    a_volume_is_striped_over_several_raid_groups: "wide-stripe";
    a_volume_migrates_and_a_migration_is_stopped: "migration-and-stop";
    a_format_empties_a_volume_and_takes_its_time: "format";
    many_volumes_get_numbered_names: "bulk-names";
    a_pool_grows_by_whole_raid_groups: "expand-pool";
    containers_are_frozen_cloned_restored_and_deleted: "aff-containers";
    what_stays_through_a_restore_keeps_its_number: "restore-keeps-numbers";
    hosts_reach_volumes_by_affinities_and_mappings: "connectivity";
    tenants_have_their_own_volumes_hosts_and_pools: "tenants";
    tenants_have_interfaces_containers_and_limits: "aff-tenants";
    hosts_and_their_groups_share_one_response: "host-responses";
    volumes_have_levels_priorities_and_uids: "qos-levels";
    every_section_of_the_settings_is_changed: "settings-tour";
    jobs_wait_work_and_are_cancelled_by_the_clock: "jobs-and-clock";
}
