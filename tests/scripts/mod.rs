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
    a_container_moves_to_another_pool: "container-migration";
    what_stays_through_a_restore_keeps_its_number: "restore-keeps-numbers";
    hosts_reach_volumes_by_affinities_and_mappings: "connectivity";
    a_controller_fails_under_load_and_comes_back: "controller-failure";
    a_node_waits_for_its_giveback: "giveback-by-hand";
    ports_power_batteries_and_temperatures_fail: "parts-fail";
    enclosures_and_drives_are_added: "adding-hardware";
    ports_are_set_for_their_protocols: "port-parameters";
    a_drive_fails_and_a_spare_takes_its_place: "drive-fails-with-spare";
    a_drive_fails_and_no_spare_is_there: "drive-fails-without-spare";
    two_drives_of_a_raid6_fail: "two-failures-in-raid6";
    a_drive_says_that_it_will_fail: "predictive-failure";
    a_raid_group_is_expanded: "expand-raid-group";
    an_unused_drive_of_an_aff_takes_the_place_of_one_that_fails: "aff-drive-fails";
    drives_are_pulled_and_put_back: "pull-and-put-back";
    work_stands_still_without_controllers: "work-stands-still";
    volumes_are_copied_once_and_kept_up_to_date: "copy-once-and-track";
    generations_of_snapshots_share_what_they_keep: "snapshot-generations";
    snap_data_volumes_take_elements_of_the_snap_data_pool: "snap-data-pool";
    a_mirror_follows_and_breaks_off_when_its_pool_is_full: "mirror";
    tenants_have_their_own_volumes_hosts_and_pools: "tenants";
    tenants_have_interfaces_containers_and_limits: "aff-tenants";
    hosts_and_their_groups_share_one_response: "host-responses";
    volumes_have_levels_priorities_and_uids: "qos-levels";
    every_section_of_the_settings_is_changed: "settings-tour";
    jobs_wait_work_and_are_cancelled_by_the_clock: "jobs-and-clock";
}
